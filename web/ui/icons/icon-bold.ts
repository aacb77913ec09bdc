import { outlined } from './draw-icon.tsx'

/** “bold” of Tabler. */
export const IconBold = outlined('M7 5h6a3.5 3.5 0 0 1 0 7h-6l0 -7M13 12h1a3.5 3.5 0 0 1 0 7h-7v-7')
