/** A colour that something stands out in. */
export type ColorMark = {
  /** The name of the colour, which the style sheet of whoever paints knows. */
  readonly hue: string
  /** A short sign beside it, so that colour does not speak alone. */
  readonly sign: string
  /** Why, in words. */
  readonly why: string
}

/** How a row stands out: whole, and in some of its cells, by column. */
export type RowColors = {
  readonly row?: ColorMark
  readonly cells: { readonly [columnId: string]: ColorMark | undefined }
}
