import type { ImportRouteDeps } from '#server/transfer/routes.ts'
import type { UploadDeps } from '#server/files/uploads/upload-deps.ts'

/** What the sample is built with: imports for its records, uploads for its pictures. */
export type SampleDeps = ImportRouteDeps & UploadDeps
