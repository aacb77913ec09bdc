import { outlined } from './draw-icon.tsx'

/** “underline” of Tabler. */
export const IconUnderline = outlined('M7 5v5a5 5 0 0 0 10 0v-5M5 19h14')
