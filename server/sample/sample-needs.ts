import type { ImportRouteDeps } from '#server/imports/routes.ts'
import type { UploadDeps } from '#server/uploads/upload-needs.ts'

/** What the sample is built with: imports for its records, uploads for its pictures. */
export type SampleDeps = ImportRouteDeps & UploadDeps
