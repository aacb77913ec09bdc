import { outlined } from './draw-icon.tsx'

/** “minimize” of Tabler. */
export const IconMinimize = outlined(
  'M15 19v-2a2 2 0 0 1 2 -2h2M15 5v2a2 2 0 0 0 2 2h2M5 15h2a2 2 0 0 1 2 2v2M5 9h2a2 2 0 0 0 2 -2v-2',
)
