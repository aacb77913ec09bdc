import { createContext } from 'react'

/** A file that stands in a document, as it is drawn. */
export type EmbeddedFile = {
  readonly name: string
  /** Its size, in words. */
  readonly size: string
  /** Where a picture of it is that a browser shows; undefined where there is none. */
  readonly src: string | undefined
  readonly width: number | null
  readonly height: number | null
  readonly downloadHref: string
}

/** Whom or what a document mentions, by id. */
export type MentionIds = {
  readonly kind: 'user' | 'record'
  readonly id: string
  /** The id of the record's collection. */
  readonly collection?: string
}

/** What the ids inside a document mean to whoever reads it. What is gone and what is out of sight mean nothing. */
export type DocumentEmbeds = {
  readonly fileOf: (file: string) => EmbeddedFile | undefined
  readonly nameOf: (mention: MentionIds) => string | undefined
  readonly hrefOf: (mention: MentionIds) => string | undefined
  /** Opens a file to be looked at. */
  readonly lookAt: (file: string) => void
}

const NOTHING = (): undefined => undefined

/** For everything that is drawn of one document. */
export const EmbedContext = createContext<DocumentEmbeds>({
  fileOf: NOTHING,
  nameOf: NOTHING,
  hrefOf: NOTHING,
  lookAt: NOTHING,
})

/** How wide a picture may be drawn, in hundredths of its line (contract). */
export const PICTURE_WIDTHS = [25, 50, 75, 100] as const

/** A picture as wide as its line. */
export const WHOLE_WIDTH = 100

const UPLOADING_PREFIX = 'upload:'

/** What stands in the place of a file's id while the file is on its way; never part of what is kept. */
export const uploadingId = (mark: string): string => `${UPLOADING_PREFIX}${mark}`

/** The mark of a file on its way; undefined for a file that has arrived. */
export const uploadIdOf = (file: unknown): string | undefined =>
  typeof file === 'string' && file.startsWith(UPLOADING_PREFIX) ? file.slice(UPLOADING_PREFIX.length) : undefined

/** Whether a file is still on its way. */
export const isUploadingId = (file: unknown): boolean => uploadIdOf(file) !== undefined
