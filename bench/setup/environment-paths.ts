/** What those who ask prove themselves with. */
export type Tokens = { readonly bound: string; readonly owner: string }

/** Where the data of the stage lives. */
export type EnvironmentPaths = { readonly dataFolder: string; readonly databaseUrl: string | undefined }
