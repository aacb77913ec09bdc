import { outlined } from './draw-icon.tsx'

/** “fold” of Tabler. */
export const IconFold = outlined('M12 3v6l3 -3m-6 0l3 3M12 21v-6l3 3m-6 0l3 -3M4 12l1 0M9 12l1 0M14 12l1 0M19 12l1 0')
