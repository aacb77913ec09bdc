import type { ImportRouteDeps } from '#server/transfer/routes.ts'
import type { UploadDeps } from '#server/files/uploads/upload-deps.ts'

export type SampleDeps = ImportRouteDeps & UploadDeps
