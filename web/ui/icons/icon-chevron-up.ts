import { outlined } from './draw-icon.tsx'

/** “chevron-up” of Tabler. */
export const IconChevronUp = outlined('M6 15l6 -6l6 6')
