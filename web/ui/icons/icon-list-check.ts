import { outlined } from './draw-icon.tsx'

/** “list-check” of Tabler. */
export const IconListCheck = outlined(
  'M3.5 5.5l1.5 1.5l2.5 -2.5M3.5 11.5l1.5 1.5l2.5 -2.5M3.5 17.5l1.5 1.5l2.5 -2.5M11 6l9 0M11 12l9 0M11 18l9 0',
)
