import { outlined } from './draw-icon.tsx'

/** “column-insert-right” of Tabler. */
export const IconColumnInsertRight = outlined(
  'M6 4h4a1 1 0 0 1 1 1v14a1 1 0 0 1 -1 1h-4a1 1 0 0 1 -1 -1v-14a1 1 0 0 1 1 -1M15 12l4 0M17 10l0 4',
)
