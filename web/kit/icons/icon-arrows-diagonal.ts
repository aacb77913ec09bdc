import { outlined } from './draw-icon.tsx'

/** “arrows-diagonal” of Tabler. */
export const IconArrowsDiagonal = outlined('M16 4h4v4M14 10l6 -6M8 20h-4v-4M4 20l6 -6')
