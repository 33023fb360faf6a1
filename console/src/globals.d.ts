/** Version of the package with which the console was built. */
declare const __TOLLGATE_VERSION__: string;
