/** Where finished files go: a field of a collection, and of a record once there is one. */
export type UploadTarget = { readonly collection: string; readonly field: string; readonly record?: string }

/** A file on its way up. */
export type UploadJob = {
  readonly id: string
  readonly name: string
  readonly bytes: number
  readonly sentBytes: number
  readonly state: 'waiting' | 'uploading' | 'paused' | 'failed'
  /** Why it failed, in a sentence. */
  readonly failure: string | null
}

/** A file that has arrived; `id` is the file's id for good. */
export type UploadedFile = { readonly id: string; readonly file: File }

/** Sends files and tells how far they are. */
export type Uploader = {
  readonly jobs: () => readonly UploadJob[]
  readonly subscribe: (listener: () => void) => () => void
  readonly add: (files: readonly File[]) => void
  readonly pauseOrResume: (id: string) => void
  readonly retry: (id: string) => void
  readonly cancel: (id: string) => void
}

/** No job at all, the same one every time. */
export const NO_JOBS: readonly UploadJob[] = []

/** The id of the file in the address of its upload: the last part of its path. */
export function fileIdOf(uploadAddress: string): string {
  const path = uploadAddress.split(/[?#]/)[0] ?? ''
  return decodeURIComponent(path.slice(path.lastIndexOf('/') + 1))
}
