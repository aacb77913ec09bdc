import { outlined } from './draw-icon.tsx'

/** “h-1” of Tabler. */
export const IconH1 = outlined('M19 18v-8l-2 2M4 6v12M12 6v12M11 18h2M3 18h2M4 12h8M3 6h2M11 6h2')
