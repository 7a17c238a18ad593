/** What an answer of ours never shows: where in the code something went wrong, a frame of the stack or a file. */
export const TRACE = /\bat [\w.<>]+ \((?:\/|[a-z]+:|<)|node_modules|\.ts:\d|\.js:\d|SQLITE_|syntax error at/;
