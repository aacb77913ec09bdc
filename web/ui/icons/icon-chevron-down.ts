import { outlined } from './draw-icon.tsx'

/** “chevron-down” of Tabler. */
export const IconChevronDown = outlined('M6 9l6 6l6 -6')
