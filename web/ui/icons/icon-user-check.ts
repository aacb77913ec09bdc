import { outlined } from './draw-icon.tsx'

/** “user-check” of Tabler. */
export const IconUserCheck = outlined('M8 7a4 4 0 1 0 8 0a4 4 0 0 0 -8 0M6 21v-2a4 4 0 0 1 4 -4h4M15 19l2 2l4 -4')
