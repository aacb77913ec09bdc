import { outlined } from './draw-icon.tsx'

/** “table-row” of Tabler. */
export const IconTableRow = outlined(
  'M3 5a2 2 0 0 1 2 -2h14a2 2 0 0 1 2 2v14a2 2 0 0 1 -2 2h-14a2 2 0 0 1 -2 -2v-14M9 3l-6 6M14 3l-7 7M19 3l-7 7M21 6l-4 4M3 10h18M10 10v11',
)
