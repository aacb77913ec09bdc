import { outlined } from './draw-icon.tsx'

/** “music” of Tabler. */
export const IconMusic = outlined(
  'M3 17a3 3 0 1 0 6 0a3 3 0 0 0 -6 0M13 17a3 3 0 1 0 6 0a3 3 0 0 0 -6 0M9 17v-13h10v13M9 8h10',
)
