export const NEVER_DISPLAYED: ReadonlySet<string> = new Set([
  // Written into the log of changes, which no page and no endpoint reads out.
  'moveRecord.note',
  'bulkChange.transition.note',
  // Ids: those that are no favourite are passed over.
  'orderFavourites.ids.*',
  // Looked for and not kept; the answer is a file.
  'exportSelection.search',
  // The response is the same for everyone; an email is sent only to existing accounts.
  'requestReset.email',
  // Compared with the names of the tours there are, never drawn.
  'saveTour.tour',
  // No type of a file: what has not the form of one is let go, and the file's bytes say what it is.
  'type of a file',
])
