import { outlined } from './draw-icon.tsx'

/** “chevron-left-pipe” of Tabler. */
export const IconChevronLeftPipe = outlined('M7 6v12M18 6l-6 6l6 6')
