import { outlined } from './draw-icon.tsx'

/** “separator-horizontal” of Tabler. */
export const IconSeparatorHorizontal = outlined('M4 12l16 0M8 8l4 -4l4 4M16 16l-4 4l-4 -4')
