import { outlined } from './draw-icon.tsx'

/** “chevron-right” of Tabler. */
export const IconChevronRight = outlined('M9 6l6 6l-6 6')
