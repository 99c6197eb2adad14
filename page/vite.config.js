// One script and one style sheet, with a hash of what is in them in their names; nothing inlined,
// since the station's policy allows no inline script.
export default {
  base: '/',
  build: { assetsInlineLimit: 0, modulePreload: { polyfill: false }, target: 'es2022' },
};
