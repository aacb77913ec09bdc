import { outlined } from './draw-icon.tsx'

/** “chevron-left” of Tabler. */
export const IconChevronLeft = outlined('M15 6l-6 6l6 6')
