/** The version of the package that the console was built with. */
declare const __TOLLGATE_VERSION__: string;
