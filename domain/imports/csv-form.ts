/** The signs a CSV may part its cells with. */
export const SEPARATORS = [',', ';', '\t', '|'] as const

/** How a CSV is written down. */
export type CsvForm = {
  /** The sign between two cells; one character. */
  readonly separator: string
  /** The sign around cells that hold separators or line breaks; null where quotation marks mean themselves. */
  readonly quote: '"' | null
  /** Whether the first row names the columns. */
  readonly hasHeader: boolean
}
