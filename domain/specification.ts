/**
 * Every constant of the specification, with its unit and its section. The one place where these numbers stand:
 * server, browser and tests read them from here, and nothing else in `domain/` may be read by `web/ui`.
 */

/** Session, specification §4 and §9. */
export const SESSION = {
  /** How long an access token lives when it names no expiry itself. §9. */
  tokenMaxAgeSeconds: 1800,
  /** A token is judged expired this long before its time. §4. */
  expiryMarginMs: 500,
  /** Where the browser goes. Routes are configurable; these are the defaults. §2. */
  routes: { login: '/login', home: '/', logout: '/logout', callback: '/callback' },
  /** The field of the user object that holds the scopes. §6. */
  scopeField: 'scope',
} as const

/** The two errors of the session handling, word for word, specification §8. */
export const SESSION_ERRORS = {
  bothExpired: 'Both token and refresh token have expired. Your request was aborted.',
  noUserField: 'User Data response does not contain field user',
} as const

/** Toast notifications, specification §9. */
export const TOASTS = {
  displayMs: 5000,
  maxVisible: 20,
  containerWidthPx: 600,
  maxHeightPx: 800,
} as const

/** Tables, specification §9. */
export const TABLE = {
  /** Records per page; `all` is the windowed scroll over every record. */
  pageSizes: [10, 20, 30, 40, 50, 'all'],
  defaultPageSize: 10,
  /** Wait after the last keystroke in a filter or the search before it is applied. */
  filterDelayMs: 400,
} as const

/** One of the page sizes a person can choose. */
export type PageSize = (typeof TABLE.pageSizes)[number]

/** Uploads, specification §9. */
export const UPLOAD = {
  parallelUploads: 2,
  chunkBytes: 5_000_000,
  /** Waits before each repeat of a failed chunk. */
  chunkRetryDelaysMs: [500, 1000, 3000],
} as const

/** The image viewer, specification §9. Ratios are of the picture's natural size. */
export const IMAGE_VIEWER = {
  slideshowIntervalMs: 5000,
  zoomRatio: 0.1,
  minZoom: 0.01,
  maxZoom: 100,
} as const

/** The rich-text editor, specification §1 and §9. */
export const EDITOR = {
  /** Changes within this window of a group's first change are one undo step. */
  undoGroupMs: 1000,
  /** Most undo steps kept. */
  undoStackMax: 100,
  minIndent: 1,
  maxIndent: 8,
  headingLevels: [1, 2, 3],
} as const

/** Dropdowns, specification §9. */
export const DROPDOWN = {
  optionLimit: 1000,
  maxListHeightPx: 300,
} as const
