export type Tokens = { readonly bound: string; readonly owner: string }

export type EnvironmentPaths = { readonly dataFolder: string; readonly databaseUrl: string | undefined }
