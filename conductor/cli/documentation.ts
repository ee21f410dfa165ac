/**
 * Where the documentation is published, and the one place that says so: the site is built for this address, and the
 * devnet, the doctor and the last line of a process that failed link to it.
 */

/** Origin, without a slash at the end. A build of the site for another host says so by SITE_URL. */
export const documentationAddress = 'https://docs.optimism.io';

/** The page with a section for each code of an error. */
export const errorsPage = `${documentationAddress}/conductor/runbooks/errors`;

/** The page that teaches to run a conductor. */
export const conductorPage = `${documentationAddress}/builders/chain-operators/tools/op-conductor`;
