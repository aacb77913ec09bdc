import { outlined } from './draw-icon.tsx'

/** “column-insert-left” of Tabler. */
export const IconColumnInsertLeft = outlined(
  'M14 4h4a1 1 0 0 1 1 1v14a1 1 0 0 1 -1 1h-4a1 1 0 0 1 -1 -1v-14a1 1 0 0 1 1 -1M5 12l4 0M7 10l0 4',
)
