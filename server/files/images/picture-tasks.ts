import type { PictureHeader } from '#domain/assets/picture-limits.ts'

/** Reads an image header or, with `width` in pixels, creates a thumbnail. */
export type PictureTask = { readonly nth: number; readonly path: string; readonly width?: number }

/** The result of task `nth`; empty if the file can't be opened as an image. */
export type PictureReply = {
  readonly nth: number
  readonly header?: PictureHeader | undefined
  readonly bytes?: Uint8Array | undefined
}
