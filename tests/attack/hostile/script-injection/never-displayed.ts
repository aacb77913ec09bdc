export const NEVER_DISPLAYED: ReadonlySet<string> = new Set([
  // Written to the change log, which no page or endpoint returns.
  'moveRecord.note',
  'bulkChange.transition.note',
  // IDs; unknown ones are ignored.
  'orderFavourites.ids.*',
  // Searched for, not stored; the response is a file.
  'exportSelection.search',
  // The response is the same for everyone; an email is sent only to existing accounts.
  'requestReset.email',
  // Compared with tour names, never displayed.
  'saveTour.tour',
  // Not a file type: invalid ones are ignored, and the type is detected from the bytes.
  'type of a file',
])
