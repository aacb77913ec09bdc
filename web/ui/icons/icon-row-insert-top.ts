import { outlined } from './draw-icon.tsx'

/** “row-insert-top” of Tabler. */
export const IconRowInsertTop = outlined(
  'M4 18v-4a1 1 0 0 1 1 -1h14a1 1 0 0 1 1 1v4a1 1 0 0 1 -1 1h-14a1 1 0 0 1 -1 -1M12 9v-4M10 7l4 0',
)
