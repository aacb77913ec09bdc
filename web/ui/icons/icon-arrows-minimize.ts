import { outlined } from './draw-icon.tsx'

/** “arrows-minimize” of Tabler. */
export const IconArrowsMinimize = outlined(
  'M5 9l4 0l0 -4M3 3l6 6M5 15l4 0l0 4M3 21l6 -6M19 9l-4 0l0 -4M15 9l6 -6M19 15l-4 0l0 4M15 15l6 6',
)
