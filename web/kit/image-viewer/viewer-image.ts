/** One picture of the viewer. */
export type ViewerImage = {
  readonly id: string
  /** Address of the picture as large as it may be shown. */
  readonly src: string
  /** Address of a small picture for the strip below. Default: `src`. */
  readonly thumbnailSrc?: string
  /** Shown below the picture and read aloud; usually the name of the file. */
  readonly title: string
}

/** What the engine needs to open. */
export type ViewerWish = {
  readonly images: readonly ViewerImage[]
  readonly index: number
  readonly onClosed: () => void
  readonly onViewed: (index: number) => void
}

/** Opens the viewer and answers how to end it. */
export type OpenViewer = (wish: ViewerWish) => () => void
