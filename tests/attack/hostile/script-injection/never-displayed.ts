export const NEVER_DISPLAYED: ReadonlySet<string> = new Set([
  // Shown only in the history of a record, which this attack doesn't open.
  'moveRecord.note',
  'bulkChange.transition.note',
  // IDs; unknown IDs are ignored.
  'reorderFavorites.ids.*',
  // Used for a search, not stored; the response is a file.
  'exportSelection.search',
  // The response is the same for everyone; an email is sent only to existing accounts.
  'requestReset.email',
  // Compared with tour names, never displayed.
  'saveTour.tour',
  // Invalid file types are ignored, because the type is detected from the bytes.
  'type of a file',
])
