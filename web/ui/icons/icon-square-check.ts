import { outlined } from './draw-icon.tsx'

/** “square-check” of Tabler. */
export const IconSquareCheck = outlined(
  'M3 5a2 2 0 0 1 2 -2h14a2 2 0 0 1 2 2v14a2 2 0 0 1 -2 2h-14a2 2 0 0 1 -2 -2v-14M9 12l2 2l4 -4',
)
