/** Constants from the specification, with units and section numbers; used by server, web and tests. */

/** Specification §4 and §9. */
export const SESSION = {
  /** Lifetime of an access token without an expiry. §9. */
  tokenMaxAgeSeconds: 1800,
  /** How long before expiry a token is treated as expired. §4. */
  expiryMarginMs: 500,
  /** Default routes of the web app. §2. */
  routes: { login: '/login', home: '/', logout: '/logout', callback: '/callback' },
  /** Field of the user object that contains the scopes. §6. */
  scopeField: 'scope',
} as const

/** Exact wording from the specification, §8. */
export const SESSION_ERRORS = {
  bothExpired: 'Both token and refresh token have expired. Your request was aborted.',
  noUserField: 'User Data response does not contain field user',
} as const

/** Specification §9. */
export const TOASTS = {
  displayMs: 5000,
  maxVisible: 20,
  containerWidthPx: 600,
  maxHeightPx: 800,
} as const

/** Specification §9. */
export const TABLE = {
  /** Records per page; `all` shows every record in one scrolling list. */
  pageSizes: [10, 20, 30, 40, 50, 'all'],
  defaultPageSize: 10,
  /** Delay after the last keystroke in a filter or search. */
  filterDelayMs: 400,
} as const

export type PageSize = (typeof TABLE.pageSizes)[number]

/** Specification §9. */
export const UPLOAD = {
  parallelUploads: 2,
  chunkBytes: 5_000_000,
  chunkRetryDelaysMs: [500, 1000, 3000],
} as const

/** Specification §9. Ratios refer to the image's natural size. */
export const IMAGE_VIEWER = {
  slideshowIntervalMs: 5000,
  zoomRatio: 0.1,
  minZoom: 0.01,
  maxZoom: 100,
} as const

/** Specification §1 and §9. */
export const EDITOR = {
  /** Changes made within this time after a group's first change are one undo step. */
  undoGroupMs: 1000,
  undoStackMax: 100,
  minIndent: 1,
  maxIndent: 8,
  headingLevels: [1, 2, 3],
} as const

/** Specification §9. */
export const DROPDOWN = {
  optionLimit: 1000,
  maxListHeightPx: 300,
} as const
