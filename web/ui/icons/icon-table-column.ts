import { outlined } from './draw-icon.tsx'

/** “table-column” of Tabler. */
export const IconTableColumn = outlined(
  'M3 5a2 2 0 0 1 2 -2h14a2 2 0 0 1 2 2v14a2 2 0 0 1 -2 2h-14a2 2 0 0 1 -2 -2v-14M10 10h11M10 3v18M9 3l-6 6M10 7l-7 7M10 12l-7 7M10 17l-4 4',
)
