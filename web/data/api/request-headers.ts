/** What a script of another site cannot send along unasked; the refresh cookie counts only together with it. */
export const CSRF_HEADER = { 'x-requested-with': 'dossier' } as const

/** Says whom the page shows, so that the server never goes on as somebody else. */
export const EXPECTED_USER = 'x-dossier-user'

/** Asks to be answered as somebody else would be, to read alone. */
export const VIEW_AS = 'view-as'
