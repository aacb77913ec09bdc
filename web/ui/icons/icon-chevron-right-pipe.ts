import { outlined } from './draw-icon.tsx'

/** “chevron-right-pipe” of Tabler. */
export const IconChevronRightPipe = outlined('M6 6l6 6l-6 6M17 5v13')
