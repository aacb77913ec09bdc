import type { Encoding } from './encodings.ts'

/** The signs a CSV may part its cells with. */
export const SEPARATORS = [',', ';', '\t', '|'] as const

/** How the text of a CSV is written down. */
export type CsvFormat = {
  /** The sign between two cells; one character. */
  readonly separator: string
  /** The sign around cells that hold separators or line breaks; null where quotation marks mean themselves. */
  readonly quote: '"' | null
  /** Whether the first row names the columns. */
  readonly hasHeader: boolean
}

/** The same with how the text is written in bytes: all that is needed to read the file. */
export type FileFormat = CsvFormat & { readonly encoding: Encoding }
