import type { PictureHeader } from '#domain/assets/picture-limits.ts'

/** What the process of pictures is asked: to read the header of a file or, with a width in pixels, to draw it smaller. */
export type PictureTask = { readonly nth: number; readonly path: string; readonly width?: number }

/** What it answers to the task of that number; nothing more when the file is no picture that can be opened. */
export type PictureReply = {
  readonly nth: number
  readonly header?: PictureHeader | undefined
  readonly bytes?: Uint8Array | undefined
}
