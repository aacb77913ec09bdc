import { outlined } from './draw-icon.tsx'

/** “arrow-up-right” of Tabler. */
export const IconArrowUpRight = outlined('M17 7l-10 10M8 7l9 0l0 9')
