import { outlined } from './draw-icon.tsx'

/** “arrows-diagonal” of Tabler. */
export const IconArrowsDiagonal = outlined('M16 4l4 0l0 4M14 10l6 -6M8 20l-4 0l0 -4M4 20l6 -6')
