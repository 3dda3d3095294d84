/* global Redoc */
// Without its search, which starts a worker from text: the Content-Security-Policy forbids that.
Redoc.init('/api/openapi.json', { disableSearch: true, nativeScrollbars: true }, document.getElementById('docs'));
