/** The version of this binary, as --version, health_status and the metrics say it: "v" and the package's. */
export const version = 'v0.1.0';
