import { outlined } from './draw-icon.tsx'

/** “row-insert-bottom” of Tabler. */
export const IconRowInsertBottom = outlined(
  'M20 6v4a1 1 0 0 1 -1 1h-14a1 1 0 0 1 -1 -1v-4a1 1 0 0 1 1 -1h14a1 1 0 0 1 1 1M12 15l0 4M14 17l-4 0',
)
