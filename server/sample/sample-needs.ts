import type { ImportRouteNeeds } from '#server/imports/routes.ts'
import type { UploadNeeds } from '#server/uploads/upload-needs.ts'

/** What the sample is built with: imports for its records, uploads for its pictures. */
export type SampleNeeds = ImportRouteNeeds & UploadNeeds
