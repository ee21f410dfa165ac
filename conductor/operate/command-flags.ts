/** What commander makes of the options of an operators’ command. */

/** Options as commander hands them over, by camel-case name. */
export type Flags = Readonly<Record<string, string | boolean | undefined>>;
